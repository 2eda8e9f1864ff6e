import type { z } from "zod";

/** A schema that is built when a request or the OpenAPI document first needs it: all schemas take 6 MB, of which an idle server needs nothing. */
export class LaterSchema<Value = unknown> {
  readonly load: () => Promise<z.ZodType<Value>>;

  constructor(load: () => Promise<z.ZodType<Value>>) {
    this.load = load;
  }

  /** The same schema with additional checks. */
  with(more: (schema: z.ZodType<Value>) => z.ZodType<Value>): LaterSchema<Value> {
    return new LaterSchema(async () => more(await this.load()));
  }
}

/** A schema that exists, or one that is built on demand. */
export type Schema<Value = unknown> = z.ZodType<Value> | LaterSchema<Value>;

/** What a route answers: a schema or a media type. */
export type AnswerShape = Schema | string;

type SchemaNames<Module> = { [Name in keyof Module]: Module[Name] extends z.ZodType ? Name : never }[keyof Module];
type ValueOf<Item> = Item extends z.ZodType<infer Value> ? Value : never;

/** The schemas of a module by their names: `const answer = schemasOf(() => import("./answers.ts"))`, and then `responses: { 200: answer("thing") }`. */
export function schemasOf<Module extends object>(
  load: () => Promise<Module>,
): <Name extends SchemaNames<Module>>(name: Name) => LaterSchema<ValueOf<Module[Name]>> {
  // The parameter's type ensures that the name is one of a schema.
  return <Name extends SchemaNames<Module>>(name: Name) =>
    new LaterSchema(async () => (await load())[name] as z.ZodType<ValueOf<Module[Name]>>);
}

export function loadSchema<Value>(schema: Schema<Value>): Promise<z.ZodType<Value>> | z.ZodType<Value> {
  return schema instanceof LaterSchema ? schema.load() : schema;
}
