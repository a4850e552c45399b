// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.IOException;
import java.io.Writer;

/**
 * Folds lines that are longer than a terminal is wide, between words: what is left of a line goes on below where its
 * last column begins. Colors take no room.
 */
final class FoldingWriter extends Writer {

  private static final char ESCAPE = '\u001b';
  /** Where the rest of a line goes if its last column is too far to the right. */
  private static final int INDENTATION = 4;

  private final Writer out;
  private final int columns;
  private final StringBuilder line = new StringBuilder();

  FoldingWriter(Writer out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  @Override
  public void write(char[] characters, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      if (characters[i] == '\n') {
        fold();
        out.write('\n');
      } else {
        line.append(characters[i]);
      }
    }
  }

  private void fold() throws IOException {
    String text = line.toString();
    line.setLength(0);
    String indentation = " ".repeat(indentation(text));
    int from = 0;
    int end = end(text, 0, 0);
    while (end < text.length()) {
      out.write(text.substring(from, end).stripTrailing());
      out.write('\n');
      out.write(indentation);
      from = end;
      while (from < text.length() && text.charAt(from) == ' ') {
        from++;
      }
      end = end(text, from, indentation.length());
    }
    out.write(text.substring(from));
  }

  /** Where the last column of a line begins: behind the last two spaces, if that leaves half of the width. */
  private int indentation(String text) {
    int gap = text.lastIndexOf("  ") + 2;
    int column = gap < 2 ? 0 : width(text.substring(0, gap));
    return column == 0 || column > columns / 2 ? INDENTATION : column;
  }

  /**
   * Returns where a line ends that begins at a place of a text: at a space behind a word, or in a word that is too long
   * on its own.
   *
   * @param before columns before that place
   */
  private int end(String text, int from, int before) {
    int width = before;
    int space = -1;
    boolean word = false;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == ESCAPE) {
        i = Math.max(i, text.indexOf('m', i));
        continue;
      }
      word |= text.charAt(i) != ' ';
      if (text.charAt(i) == ' ' && word) {
        space = i;
      }
      width++;
      if (width > columns) {
        return space > 0 ? space : i;
      }
    }
    return text.length();
  }

  private static int width(String text) {
    return text.replaceAll(ESCAPE + "\\[[0-9;]*m", "").length();
  }

  @Override
  public void flush() throws IOException {
    out.write(line.toString());
    line.setLength(0);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }
}
