// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.journey;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The classes whose methods a program enters between the loading of two of its classes, Begin and End. */
final class EnteredClasses {

  private static final long MILLIS = 60_000;

  private final String program;
  private final List<String> packages;
  private final Set<String> entered = new TreeSet<>();
  private final List<MethodEntryRequest> requests = new ArrayList<>();

  private EnteredClasses(String program, List<String> packages) {
    this.program = program;
    this.packages = packages;
  }

  /**
   * Runs a program in a virtual machine of its own.
   *
   * @param program has {@code main}, and the classes
   * @param argument its argument
   * @param packages names of classes with a star at the end
   * @return names of classes; that of a nested one is that of its top-level class
   */
  static Set<String> between(Class<?> program, String argument, String... packages) throws Exception {
    EnteredClasses classes = new EnteredClasses(program.getName(), List.of(packages));
    VirtualMachine machine = classes.launch(argument);
    try {
      classes.watch(machine);
    } finally {
      if (machine.process().isAlive()) {
        machine.process().destroyForcibly();
      }
    }
    return classes.entered;
  }

  private VirtualMachine launch(String argument) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(program + " " + argument);
    arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + "\"");
    arguments.get("suspend").setValue("true");
    return connector.launch(arguments);
  }

  private void watch(VirtualMachine machine) throws Exception {
    Process process = machine.process();
    swallow(process.getInputStream());
    swallow(process.getErrorStream());
    ClassPrepareRequest marks = machine.eventRequestManager().createClassPrepareRequest();
    marks.addClassFilter(program + "$*");
    marks.setSuspendPolicy(EventRequest.SUSPEND_ALL);
    marks.enable();
    for (String each : packages) {
      MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
      request.addClassFilter(each);
      request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
      requests.add(request);
    }
    machine.resume();
    boolean running = true;
    while (running) {
      EventSet events = machine.eventQueue().remove(MILLIS);
      if (events == null) {
        throw new IllegalStateException("The program has not come to its end");
      }
      for (Event event : events) {
        running &= !(event instanceof VMDeathEvent) && !(event instanceof VMDisconnectEvent);
        if (event instanceof ClassPrepareEvent mark) {
          boolean begins = mark.referenceType().name().endsWith("$Begin");
          requests.forEach(request -> request.setEnabled(begins));
        } else if (event instanceof MethodEntryEvent entry) {
          entered.add(entry.method().declaringType().name().replaceFirst("\\$.*", ""));
        }
      }
      events.resume();
    }
  }

  private static void swallow(InputStream output) {
    Thread reader = new Thread(() -> {
      try (output) {
        output.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The program has ended.
      }
    }, "output of a watched program");
    reader.setDaemon(true);
    reader.start();
  }
}
