// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.common.EncryptionUtil;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptedData;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionKey;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.KeyUsage;
import org.apache.kerby.kerberos.kerb.type.base.NameType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.apache.kerby.kerberos.kerb.type.base.TransitedEncoding;
import org.apache.kerby.kerberos.kerb.type.base.TransitedEncodingType;
import org.apache.kerby.kerberos.kerb.type.ticket.EncTicketPart;
import org.apache.kerby.kerberos.kerb.type.ticket.Ticket;
import org.apache.kerby.kerberos.kerb.type.ticket.TicketFlags;

/** A ticket as no center would give it, made with the service's key. Its holder believes that it is a good one. */
final class ForgedTicket {

  private final EncryptionKey serviceKey;
  private final String service;
  private Duration start = Duration.ofMinutes(-1);
  private Duration end = Duration.ofHours(1);

  ForgedTicket(String service, EncryptionKey serviceKey) {
    this.service = service;
    this.serviceKey = serviceKey;
  }

  /** When it is good, from now. */
  ForgedTicket good(Duration from, Duration until) {
    start = from;
    end = until;
    return this;
  }

  /** Who has it, and nothing else. */
  Subject holder() throws KrbException, IOException {
    EncryptionKey session = EncryptionHandler.random2Key(EncryptionType.AES256_CTS_HMAC_SHA1_96);
    EncTicketPart part = new EncTicketPart();
    part.setFlags(new TicketFlags(0));
    part.setKey(session);
    part.setCrealm(KerberosRealm.NAME);
    part.setCname(new PrincipalName("alice", NameType.NT_PRINCIPAL));
    TransitedEncoding transited = new TransitedEncoding();
    transited.setTrType(TransitedEncodingType.NULL);
    transited.setContents(new byte[0]);
    part.setTransited(transited);
    part.setAuthTime(time(start));
    part.setStartTime(time(start));
    part.setEndTime(time(end));
    EncryptedData sealed = EncryptionUtil.seal(part, serviceKey, KeyUsage.KDC_REP_TICKET);
    sealed.setKvno(serviceKey.getKvno());
    Ticket ticket = new Ticket();
    ticket.setSname(new PrincipalName(service, NameType.NT_SRV_HST));
    ticket.setRealm(KerberosRealm.NAME);
    ticket.setEncryptedEncPart(sealed);
    KerberosPrincipal alice = new KerberosPrincipal("alice@" + KerberosRealm.NAME);
    Subject holder = new Subject();
    holder.getPrincipals().add(alice);
    holder.getPrivateCredentials().add(new KerberosTicket(ticket.encode(), alice,
        new KerberosPrincipal(service + '@' + KerberosRealm.NAME, KerberosPrincipal.KRB_NT_SRV_HST), session.getKeyData(),
        session.getKeyType().getValue(), new boolean[32], date(Duration.ofMinutes(-1)), date(Duration.ofMinutes(-1)),
        date(Duration.ofHours(1)), null, null));
    return holder;
  }

  private static KerberosTime time(Duration from) {
    return new KerberosTime(date(from).getTime());
  }

  private static Date date(Duration from) {
    return Date.from(Instant.now().plus(from));
  }
}
