/**
 * What a terminal would have made of a line: its text with the escape sequences out, and how each stretch of it is drawn.
 * Source: ECMA-48, select graphic rendition; ITU T.416 for the colon form of colours.
 */

/** One of the terminal's sixteen colours (0 to 15), or an exact one. */
export type AnsiColour = number | `#${string}`;

export interface TextStyle {
  readonly foreground: AnsiColour | null;
  readonly background: AnsiColour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
}

/** A stretch of text drawn alike; `style` null is the plain one. */
export interface StyledSpan {
  text: string;
  style: TextStyle | null;
}

const PLAIN: TextStyle = {
  foreground: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** More changes of style than any sane line has; what follows keeps the last one. */
const MOST_SPANS = 512;
const MOST_PARAMETERS = 32;

/** What must not reach the page as it is: controls but the tab, and characters that reorder or hide their neighbours. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const UNSAFE_ALL = new RegExp(UNSAFE.source, "g");

/** Splits a line into styled spans. Colours end with the line. Takes time linear in its length. */
export function parseAnsi(line: string): StyledSpan[] {
  if (!UNSAFE.test(line)) return line === "" ? [] : [{ text: line, style: null }];
  const spans: StyledSpan[] = [];
  const length = lengthWithoutLineEnd(line);
  let style = PLAIN;
  let position = 0;
  while (position < length) {
    const escape = line.indexOf("\u001b", position);
    const end = escape === -1 ? length : escape;
    if (end > position) addSpan(spans, visible(line.slice(position, end)), style);
    if (escape === -1) break;
    const sequence = readSequence(line, escape);
    if (sequence.graphics !== null && spans.length < MOST_SPANS) style = restyle(style, sequence.graphics);
    position = sequence.end;
  }
  return spans;
}

/** The line as text alone: escape sequences out, control characters made visible. */
export function plainText(line: string): string {
  return UNSAFE.test(line)
    ? parseAnsi(line)
        .map((span) => span.text)
        .join("")
    : line;
}

function addSpan(spans: StyledSpan[], text: string, style: TextStyle): void {
  if (text === "") return;
  const last = spans.at(-1);
  const own = isPlain(style) ? null : style;
  if (last !== undefined && (last.style === own || (last.style !== null && own !== null && sameStyle(last.style, own)))) last.text += text;
  else spans.push({ text, style: own });
}

function lengthWithoutLineEnd(line: string): number {
  let length = line.length;
  while (line[length - 1] === "\r") length -= 1;
  return length;
}

/** Control characters as their pictures, direction marks by their number. */
function visible(text: string): string {
  return text.replace(UNSAFE_ALL, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** Reads the escape sequence at `start`. An unfinished one loses its introducer only, so that nothing can hide behind it. */
function readSequence(line: string, start: number): { end: number; graphics: string | null } {
  const introducer = line[start + 1];
  if (introducer === "[") return readControlSequence(line, start + 2);
  if (introducer !== undefined && "]PX^_".includes(introducer)) return { end: endOfString(line, start + 2), graphics: null };
  let end = start + 1;
  while (isBetween(line, end, 0x20, 0x2f)) end += 1;
  return { end: isBetween(line, end, 0x30, 0x7e) ? end + 1 : end, graphics: null };
}

function readControlSequence(line: string, start: number): { end: number; graphics: string | null } {
  let end = start;
  while (isBetween(line, end, 0x30, 0x3f)) end += 1;
  const parameters = line.slice(start, end);
  const plainParameters = end;
  while (isBetween(line, end, 0x20, 0x2f)) end += 1;
  const isGraphics = line[end] === "m" && end === plainParameters && /^[\d;:]*$/.test(parameters);
  return { end: isBetween(line, end, 0x40, 0x7e) ? end + 1 : end, graphics: isGraphics ? parameters : null };
}

/** Titles, links and the like run to BEL or ESC \. */
function endOfString(line: string, start: number): number {
  for (let position = start; position < line.length; position += 1) {
    if (line[position] === "\u0007") return position + 1;
    if (line[position] === "\u001b") return line[position + 1] === "\\" ? position + 2 : start;
  }
  return start;
}

function isBetween(line: string, position: number, low: number, high: number): boolean {
  const code = line.charCodeAt(position);
  return code >= low && code <= high;
}

function restyle(style: TextStyle, sequence: string): TextStyle {
  const parameters = sequence.split(";", MOST_PARAMETERS);
  const next: { -readonly [Part in keyof TextStyle]: TextStyle[Part] } = { ...style };
  for (let index = 0; index < parameters.length; index += 1) {
    const [code = 0, ...rest] = (parameters[index] ?? "").split(":").map(Number);
    if (code === 38 || code === 48) {
      const legacy = rest.length === 0;
      const values = legacy ? parameters.slice(index + 1, index + 5).map(Number) : rest.length > 4 ? [rest[0], ...rest.slice(2)] : rest;
      const colour = extendedColour(values);
      if (colour !== null) next[code === 38 ? "foreground" : "background"] = colour;
      if (legacy) index += values[0] === 5 ? 2 : values[0] === 2 ? 4 : 0;
    } else Object.assign(next, code === 4 && rest[0] === 0 ? { underline: false } : changeOf(code));
  }
  return next;
}

/** `5;n` or `2;r;g;b`. */
function extendedColour([form, first, second, third]: readonly (number | undefined)[]): AnsiColour | null {
  if (form === 5 && isByte(first)) return indexedColour(first);
  return form === 2 && isByte(first) && isByte(second) && isByte(third) ? hex(first, second, third) : null;
}

/** The 256 colours: the sixteen, a cube of six steps a side, and a ramp of greys. */
function indexedColour(index: number): AnsiColour {
  if (index < 16) return index;
  if (index >= 232) return hex(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10);
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const place = index - 16;
  return hex(level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6));
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

function hex(red: number, green: number, blue: number): `#${string}` {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
}

const SWITCHES: Readonly<Record<number, Partial<TextStyle>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { foreground: null },
  49: { background: null },
};

function changeOf(code: number): Partial<TextStyle> {
  if (code >= 30 && code <= 37) return { foreground: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { foreground: code - 82 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return SWITCHES[code] ?? {};
}

function isPlain(style: TextStyle): boolean {
  return style === PLAIN || sameStyle(style, PLAIN);
}

function sameStyle(a: TextStyle, b: TextStyle): boolean {
  return (
    a.foreground === b.foreground &&
    a.background === b.background &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.inverse === b.inverse
  );
}
