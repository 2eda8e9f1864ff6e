/** The fields of a line that is a JSON object, or nothing but logfmt pairs. */

export interface LogField {
  /** Of a nested JSON object with the names around it: `http.status`. */
  name: string;
  /** Numbers as they were written, lists as JSON. */
  value: string;
}

/** Further fields of a line are left out. */
const MOST_FIELDS = 64;
const LONGEST_NAME = 100;
/** What is nested deeper is shown as JSON. */
const DEEPEST = 4;
/** One pair alone may be any sentence with an equals sign. */
const FEWEST_PAIRS = 2;

/** Reads a line without colours. Null: it is neither JSON nor logfmt. */
export function readFields(plain: string): LogField[] | null {
  return plain.trimStart().startsWith("{") ? readJson(plain) : readLogfmt(plain);
}

function readJson(plain: string): LogField[] | null {
  try {
    const value: unknown = MAY_CHANGE.test(plain) ? JSON.parse(plain, asWritten) : JSON.parse(plain);
    const fields: LogField[] = [];
    // A text that begins with a brace is an object, if it is JSON.
    collect(value as object, "", 1, fields);
    return fields.length === 0 ? null : fields;
  } catch {
    return null;
  }
}

/** Numbers that JavaScript would write differently: large ones, exponents, zeros at their end. */
const MAY_CHANGE = /\d{16}|\d[eE][+-]?\d|\.\d*0(?!\d)|0\.00000|-0/;

/** Newer engines give the text of a value as a third argument. */
function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? value) : value;
}

function collect(object: object, prefix: string, depth: number, fields: LogField[]): void {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (fields.length >= MOST_FIELDS) return;
    const name = `${prefix}${key}`;
    if (name === "" || name.length > LONGEST_NAME) continue;
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isNested && depth < DEEPEST) collect(value, `${name}.`, depth + 1, fields);
    else fields.push({ name, value: typeof value === "object" && value !== null ? JSON.stringify(value) : String(value) });
  }
}

const PAIR = /\s*([^\s="]{1,100})=("(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/y;

function readLogfmt(plain: string): LogField[] | null {
  const fields: LogField[] = [];
  const end = plain.trimEnd().length;
  let at = 0;
  while (at < end) {
    PAIR.lastIndex = at;
    const [whole, name, value] = PAIR.exec(plain) ?? [];
    if (whole === undefined || name === undefined || value === undefined) return null;
    if (fields.length < MOST_FIELDS) fields.push({ name, value: value.startsWith('"') ? unquoted(value) : value });
    at += whole.length;
  }
  return fields.length < FEWEST_PAIRS ? null : fields;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquoted(value: string): string {
  return value.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}
