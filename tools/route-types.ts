import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { loadRoute, type LoadedRoute } from "../src/http/route-shapes.ts";
import type { Route } from "../src/http/route.ts";
import { declaredByServer } from "./declared.ts";

const ROOT = join(import.meta.dirname, "..");

/** Of all shapes, for other programs. */
const DOCUMENT = "/api/v1/openapi.json";

/** A schema by the file and the name that export it. */
interface Exported {
  file: string;
  name: string;
}

/** What the web app calls: every route of the API, by method and path, with the schema of its query and the types of its body and its answer. */
export async function routeTypes(): Promise<string> {
  const exported = await exportedSchemas();
  const { routes: declared } = await declaredByServer();
  const loaded = await Promise.all(declared.map(loadRoute));
  const routes = loaded
    .filter(({ path }) => path.startsWith("/api/v1/") && path !== DOCUMENT)
    .toSorted((a, b) => compare(nameOf(a), nameOf(b)));
  const aliases = new Map<string, string>();
  const schemaOf = (route: Route, part: string, schema: z.ZodType): string => {
    const found = exportOf(schema, exported);
    if (found === undefined)
      throw new Error(`${nameOf(route)}: export the schema of its ${part} from an api.ts or answers.ts, so that the web app has its type`);
    const alias = aliasOf(found.file);
    aliases.set(found.file, alias);
    return `typeof ${alias}.${found.name}`;
  };
  const rows = routes.map((route) => {
    const { query, body } = route as { query?: z.ZodType; body?: z.ZodType };
    const answer = answerOf(route);
    const parts = [
      ...(query === undefined ? [] : [`query: ${schemaOf(route, "query", query)}`]),
      ...(body === undefined ? [] : [`body: z.input<${schemaOf(route, "body", body)}>`]),
      `answer: ${answer === undefined ? "undefined" : `z.output<${schemaOf(route, "answer", answer)}>`}`,
    ];
    return `  "${nameOf(route)}": { ${parts.join("; ")} };`;
  });
  return [
    "// Made from the routes of the server by `npm run generate`: types alone.",
    'import type { z } from "zod";',
    ...[...aliases].map(([file, alias]) => `import type * as ${alias} from "../../../${file}";`),
    "",
    "/** Every route of the API: what it takes and what it answers. */",
    "export interface Routes {",
    ...rows,
    "}",
    "",
  ].join("\n");
}

/** `src/monitoring/containers/api.ts` is called `containers`. */
function aliasOf(file: string): string {
  const parts = file.replace(/^src\/(?:\w+\/(?=\w+\/))?|(?:\/api)?\.ts$/g, "").split(/[/-]/);
  return parts.map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("");
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The JSON of a successful answer; undefined where there is none. */
function answerOf({ responses }: LoadedRoute): z.ZodType | undefined {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2") && status !== "204");
  return successes.flatMap(([, response]) => response).find((response): response is z.ZodType => response instanceof z.ZodType);
}

async function exportedSchemas(): Promise<ReadonlyMap<unknown, Exported>> {
  const schemas = new Map<unknown, Exported>();
  for (const file of globSync("src/**/{api,answers}.ts", { cwd: ROOT }).sort()) {
    const module = (await import(join(ROOT, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (value instanceof z.ZodType && !schemas.has(value)) schemas.set(value, { file, name });
    }
  }
  return schemas;
}

/** Of a schema that a route has refined, the one that it was made of. */
function exportOf(schema: z.ZodType, exported: ReadonlyMap<unknown, Exported>): Exported | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each !== undefined; each = each._zod.parent) {
    const found = exported.get(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
