import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const WEB = new URL("../../web/src/", import.meta.url).pathname;
const DECLARED = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: "([^"]+)"/g;
/** The lists of Kubernetes. */
const LISTED = /\blistRoute\("([^"]+)"/g;

/** The addresses of all pages of the web app, as its sources declare them: `/alerts/$id`. */
export function webRoutes(): string[] {
  const sources = globSync("**/*.{ts,tsx}", { cwd: WEB }).map((path) => readFileSync(join(WEB, path), "utf8"));
  const declared = sources.flatMap((source) => [...source.matchAll(DECLARED)]);
  const listed = sources.flatMap((source) => [...source.matchAll(LISTED)].map(([, path = ""]) => path));
  const parts = new Map(declared.map(([, name = "", parent = "", path = ""]) => [name, { parent, path }]));
  function addressOf(name: string): string {
    const part = parts.get(name);
    return part === undefined ? "" : `${addressOf(part.parent)}/${part.path}`;
  }
  const addresses = [...parts.keys()].map((name) => `/${addressOf(name).split("/").filter(Boolean).join("/")}`);
  return [...new Set([...addresses, ...listed])].sort();
}

/** Which of the routes is shown at a path: one that names the path has precedence over one with parameters. */
export function routeAt(path: string, routes: readonly string[]): string | undefined {
  const parts = path.split("/").filter(Boolean);
  const fits = (route: string): boolean => {
    const wanted = route.split("/").filter(Boolean);
    return wanted.length === parts.length && wanted.every((each, index) => each.startsWith("$") || each === parts[index]);
  };
  return routes.filter(fits).toSorted((one, other) => one.split("$").length - other.split("$").length)[0];
}
