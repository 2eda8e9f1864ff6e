import { z } from "zod";
import { isObject } from "../platform/object.ts";
import { foreignText, foreignValue } from "./foreign-text.ts";

/** A value with its foreign texts inside of fences, and only what its schema declares. */
export interface Fenced {
  value: unknown;
  /** Something of it is foreign. */
  isForeign: boolean;
}

/** What is found while one value is walked. */
interface Findings {
  isForeign: boolean;
}
type Walk = (value: unknown, findings: Findings) => unknown;

type Schema = z.core.$ZodType;

/** Makes the fence of a schema: each string is foreign unless the schema gives it an own form or `ours`, and it has that form. */
export function fenceBy(schema: Schema, fenced: (text: string) => string = foreignText): (value: unknown) => Fenced {
  const walk = compile(schema, { fenced, known: new Map() });
  return (given) => {
    const findings: Findings = { isForeign: false };
    return { value: walk(given, findings), isForeign: findings.isForeign };
  };
}

/** Whether a schema's strings may carry foreign words; the fenced text then does not keep to its length and form. */
export function isForeignString(schema: Schema): boolean {
  return schema instanceof z.core.$ZodString && !isOurs(schema) && ownForms(schema).length === 0;
}

interface Compiling {
  fenced: (text: string) => string;
  /** What was compiled already, and for a schema inside of itself what is being compiled. */
  known: Map<Schema, Walk>;
}

function compile(schema: Schema, compiling: Compiling): Walk {
  const known = compiling.known.get(schema);
  if (known !== undefined) return known;
  compiling.known.set(schema, (value, findings) => walk(value, findings));
  const walk: Walk = walkOf(schema, compiling);
  compiling.known.set(schema, walk);
  return walk;
}

function walkOf(schema: Schema, compiling: Compiling): Walk {
  if (isOurs(schema)) return (value) => value;
  const inner = innerOf(schema);
  if (inner !== undefined) return compile(inner, compiling);
  if (schema instanceof z.core.$ZodString || ownWords(schema) !== undefined) return stringWalk([schema], compiling);
  if (schema instanceof z.core.$ZodObject) return objectWalk(schema, compiling);
  if (schema instanceof z.core.$ZodArray) return arrayWalk(compile(schema._zod.def.element, compiling), compiling);
  if (schema instanceof z.core.$ZodRecord) return recordWalk(schema, compiling);
  if (schema instanceof z.core.$ZodUnion) return unionWalk(schema, compiling);
  return anyWalk(compiling);
}

/** What a wrapper is around. */
function innerOf(schema: Schema): Schema | undefined {
  if (schema instanceof z.core.$ZodLazy) return schema._zod.innerType;
  if (schema instanceof z.core.$ZodPipe) return schema._zod.def.in;
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodPrefault ||
    schema instanceof z.core.$ZodNonOptional ||
    schema instanceof z.core.$ZodReadonly ||
    schema instanceof z.core.$ZodCatch
  )
    return schema._zod.def.innerType;
  return undefined;
}

function isOurs(schema: Schema): boolean {
  return z.globalRegistry.get(schema)?.["ours"] === true;
}

const OWN_FORMS: ReadonlySet<string> = new Set(["uuid", "guid", "datetime", "date", "time", "duration", "ipv4", "ipv6", "regex"]);
/** No blanks, no brackets: whatever it is, it is no sentence. */
const OWN_WORD = /^[!-~]{1,256}$/;

/** What a schema's strings look like when they are ids, times and the like; none when they may be words. */
function ownForms(schema: z.core.$ZodString): RegExp[] {
  const { def } = schema._zod;
  return [def, ...(def.checks ?? []).map((check) => check._zod.def)].flatMap((each) => {
    if (!("format" in each) || typeof each.format !== "string" || !OWN_FORMS.has(each.format)) return [];
    if (!("pattern" in each) || !(each.pattern instanceof RegExp)) return [];
    // Without the flags that make a pattern remember where it was.
    const form = new RegExp(each.pattern.source, each.pattern.flags.replace(/[gy]/g, ""));
    return each.format === "regex" ? [OWN_WORD, form] : [form];
  });
}

/** The strings of a schema that cannot be foreign; undefined when there are none. */
function ownWords(schema: Schema): ((text: string) => boolean) | undefined {
  if (schema instanceof z.core.$ZodString) {
    if (isOurs(schema)) return () => true;
    const forms = ownForms(schema);
    const [only, ...more] = forms;
    if (only === undefined) return undefined;
    return more.length === 0 ? (text) => only.test(text) : (text) => forms.every((form) => form.test(text));
  }
  if (!(schema instanceof z.core.$ZodEnum) && !(schema instanceof z.core.$ZodLiteral)) return undefined;
  const values = schema._zod.values;
  return (text) => values.has(text);
}

function stringWalk(options: readonly Schema[], { fenced }: Compiling): Walk {
  const own = options.flatMap((option) => ownWords(option) ?? []);
  return (value, findings) => {
    if (typeof value !== "string") return anyOf(value, findings, fenced);
    if (own.some((isOwn) => isOwn(value))) return value;
    findings.isForeign = true;
    return fenced(value);
  };
}

function objectWalk(schema: z.core.$ZodObject, compiling: Compiling): Walk {
  const { shape, catchall } = schema._zod.def;
  const fields = Object.entries(shape).map(([name, field]) => ({ name, walk: compile(field, compiling) }));
  const isOpen = catchall !== undefined && !(catchall instanceof z.core.$ZodNever);
  return (value, findings) => {
    if (!isObject(value)) return anyOf(value, findings, compiling.fenced);
    const result: Record<string, unknown> = {};
    for (const { name, walk } of fields) {
      const field = value[name];
      if (field !== undefined) result[name] = walk(field, findings);
    }
    if (isOpen)
      for (const [name, rest] of membersOf(value))
        if (!Object.hasOwn(shape, name)) putEntry(result, { name, value: rest }, findings, compiling.fenced);
    return result;
  };
}

function arrayWalk(element: Walk, { fenced }: Compiling): Walk {
  return (value, findings) => (Array.isArray(value) ? value.map((each) => element(each, findings)) : anyOf(value, findings, fenced));
}

/** The most members of a record that are shown: from outside there may be any number. */
const MOST_MEMBERS = 200;

function membersOf(value: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  return Object.entries(value).slice(0, MOST_MEMBERS);
}

/** Keys of a record come from outside, as labels do. */
function recordWalk(schema: z.core.$ZodRecord, compiling: Compiling): Walk {
  const { fenced } = compiling;
  const { keyType, valueType } = schema._zod.def;
  const isOwnKey = ownWords(keyType);
  const isText = isForeignString(bare(valueType));
  const walk = compile(valueType, compiling);
  return (value, findings) => {
    if (!isObject(value)) return anyOf(value, findings, fenced);
    const result: Record<string, unknown> = {};
    for (const [name, each] of membersOf(value)) {
      const isOwn = name !== "__proto__" && isOwnKey?.(name) === true;
      if (!isOwn) findings.isForeign = true;
      result[isOwn ? name : fenced(name)] = isText && typeof each === "string" ? foreignOf(name, each, findings) : walk(each, findings);
    }
    return result;
  };
}

function foreignOf(name: string, text: string, findings: Findings): string {
  findings.isForeign = true;
  return foreignValue(name, text);
}

/** A schema without its wrappers. */
function bare(schema: Schema): Schema {
  const inner = innerOf(schema);
  return inner === undefined || isOurs(schema) ? schema : bare(inner);
}

function unionWalk(schema: z.core.$ZodUnion, compiling: Compiling): Walk {
  const options = schema._zod.def.options.map((option) => ({ option: bare(option), walk: compile(option, compiling) }));
  const { discriminator } = schema._zod.def as { discriminator?: string };
  if (discriminator !== undefined) {
    return (value, findings) => {
      const kind = isObject(value) ? value[discriminator] : undefined;
      const found = options.find(({ option }) => option._zod.propValues?.[discriminator]?.has(kind as string) === true);
      return found === undefined ? anyOf(value, findings, compiling.fenced) : found.walk(value, findings);
    };
  }
  const ofStrings = options.filter(({ option }) => option instanceof z.core.$ZodString || ownWords(option) !== undefined);
  const strings = stringWalk(
    ofStrings.map(({ option }) => option),
    compiling,
  );
  const others = options.filter((each) => !ofStrings.includes(each));
  return (value, findings) => {
    if (typeof value === "string") return strings(value, findings);
    const [only, ...more] = others;
    const found = more.length === 0 ? only : others.find(({ option }) => z.core.safeParse(option, value).success);
    return found === undefined ? anyOf(value, findings, compiling.fenced) : found.walk(value, findings);
  };
}

function anyWalk({ fenced }: Compiling): Walk {
  return (value, findings) => anyOf(value, findings, fenced);
}

/** Of a value that no schema describes, every string is foreign. */
function anyOf(value: unknown, findings: Findings, fenced: (text: string) => string): unknown {
  if (typeof value === "string") {
    findings.isForeign = true;
    return fenced(value);
  }
  if (Array.isArray(value)) return value.map((each) => anyOf(each, findings, fenced));
  if (!isObject(value) || value instanceof Date) return value;
  const result: Record<string, unknown> = {};
  for (const [name, each] of membersOf(value)) putEntry(result, { name, value: each }, findings, fenced);
  return result;
}

const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/;

function putEntry(
  result: Record<string, unknown>,
  { name, value }: { name: string; value: unknown },
  findings: Findings,
  fenced: (text: string) => string,
): void {
  if (value === undefined) return;
  const isField = FIELD_NAME.test(name);
  if (!isField) findings.isForeign = true;
  result[isField ? name : fenced(name)] = typeof value === "string" ? foreignOf(name, value, findings) : anyOf(value, findings, fenced);
}
