import type { z } from "zod";

/** A schema of an answer that is loaded when it is asked for. Only the OpenAPI document asks, and all of them take 3 MB. */
export class LaterSchema {
  readonly load: () => Promise<z.ZodType>;

  constructor(load: () => Promise<z.ZodType>) {
    this.load = load;
  }
}

/** A schema, at once or loaded when it is asked for, or a media type. */
export type AnswerShape = z.ZodType | LaterSchema | string;

type SchemaNames<Module> = { [Name in keyof Module]: Module[Name] extends z.ZodType ? Name : never }[keyof Module];

/** The schemas of a module by their names: `const answer = answersOf(() => import("./answers.ts"))`, and then `responses: { 200: answer("thing") }`. */
export function answersOf<Module extends object>(load: () => Promise<Module>): (name: SchemaNames<Module>) => LaterSchema {
  // That the name is one of a schema is what its type says.
  return (name) => new LaterSchema(async () => (await load())[name] as z.ZodType);
}
