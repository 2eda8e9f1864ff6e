import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import type { Schema } from "./document.ts";

/** Undefined when the value fits the schema, else what is wrong with it. */
export type Judge = (value: unknown) => string | undefined;

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true, logger: false });
addFormats(ajv);
const judges = new WeakMap<Schema, Judge>();

/** What a schema says of values, by a validator that is not the program's own. */
export function judgeOf(schema: Schema): Judge {
  let judge = judges.get(schema);
  if (judge === undefined) {
    const fits = ajv.compile(schema);
    judge = (value) => (fits(value) === true ? undefined : ajv.errorsText(fits.errors, { dataVar: "value" }));
    judges.set(schema, judge);
  }
  return judge;
}

/** How a text of a path or a query stands to its schema. `unclear`: another reading of the same text fits, such as `007` for a number. */
export function judgeText(schema: Schema, text: string): "fits" | "unclear" | "bad" {
  const fits = judgeOf(schema);
  const readings: unknown[] = [text];
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) readings.push(Number(text));
  if (text === "true" || text === "false") readings.push(text === "true");
  if (readings.some((reading) => fits(reading) === undefined)) return "fits";
  const looser = [
    text.trim(),
    text.toLowerCase(),
    Number(text),
    text === "1" || text === "0" ? text === "1" : text.toLowerCase() === "true",
  ];
  const isLoose = text.trim() !== "" && (Number.isFinite(Number(text)) || /^(true|false)$/i.test(text.trim()) || text.trim() !== text);
  return isLoose && looser.some((reading) => fits(reading) === undefined) ? "unclear" : "bad";
}
