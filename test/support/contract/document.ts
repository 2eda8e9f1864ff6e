/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: Schema;
}

/** Where an answer says what another operation takes. Source: OpenAPI 3.1, Link Object. */
export interface Link {
  operationId: string;
  /** Runtime expressions by parameter: `$response.body#/id`. */
  parameters: Record<string, string>;
}

export interface DeclaredAnswer {
  /** Schemas by media type; undefined: any body of that type. */
  content: Record<string, Schema | undefined>;
  links: Link[];
  /** Declared by this operation, and not one that all of its kind share. */
  isOwn: boolean;
}

export interface Operation {
  id: string;
  /** In capitals. */
  method: string;
  path: string;
  parameters: Parameter[];
  body: { required: boolean; content: Record<string, Schema | undefined> } | undefined;
  answers: ReadonlyMap<number, DeclaredAnswer>;
}

type Json = Record<string, unknown>;

interface RawContent {
  content?: Record<string, { schema?: Schema }>;
}

interface RawOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: RawContent & { required?: boolean };
  responses: Record<string, RawContent & { $ref?: string; links?: Record<string, Link> }>;
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>;
  components?: Json;
}

/** Every operation of an OpenAPI document, with its references followed. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body:
        raw.requestBody === undefined
          ? undefined
          : { required: raw.requestBody.required === true, content: schemasOf(raw.requestBody, document) },
      answers: new Map(
        Object.entries(raw.responses).map(([status, answer]) => [
          Number(status),
          {
            content: schemasOf(followed(answer, document), document),
            links: Object.values(answer.links ?? {}),
            isOwn: answer.$ref === undefined,
          },
        ]),
      ),
    })),
  );
}

function schemasOf({ content = {} }: RawContent, document: Document): Record<string, Schema | undefined> {
  return Object.fromEntries(
    Object.entries(content).map(([media, { schema }]) => [media, schema === undefined ? undefined : withoutReferences(schema, document)]),
  );
}

function followed<Part extends { $ref?: string }>(part: Part, document: Document): Part {
  if (part.$ref?.startsWith("#/components/") !== true) return part;
  let target: unknown = document;
  for (const key of part.$ref.slice(2).split("/")) target = (target as Json)[key];
  // Both are of the place that refers to them.
  return target as Part;
}

function withoutReferences<Value>(value: Value, document: Document): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutReferences(each as unknown, document)) as Value;
  const plain = followed(value as Schema, document);
  return Object.fromEntries(Object.entries(plain).map(([key, each]) => [key, withoutReferences(each as unknown, document)])) as Value;
}
