import type { Method, Route } from "./route.ts";

export interface MethodTable {
  /** The methods that a path takes; none for an unknown path. */
  of(path: string): readonly string[];
  /** Methods that a fixed path does not take although a template with a parameter would: `/things/{id}` has GET, `/things/search` has not. */
  readonly refused: readonly { method: Method; path: string }[];
}

/** A path may fit several templates. As in the router, the one with fixed parts where the others have parameters is used. */
export function createMethodTable(routes: readonly Route[]): MethodTable {
  const templates = [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, ofPath]) => ({
      path,
      fixed: path.split("/").map((part) => (part.includes("{") ? 1 : 0)),
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
      methods: ofPath.map(({ method }) => method),
    }))
    .toSorted((a, b) => compareFixedParts(a.fixed, b.fixed));
  const byLength = Map.groupBy(templates, ({ fixed }) => fixed.length);

  return {
    of(path) {
      const methods = templates.find(({ pattern }) => pattern.test(path))?.methods ?? [];
      return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    },
    refused: templates.flatMap(({ path, fixed, methods }) => {
      const example = path.replace(/\{\w+\}/g, "x");
      const others = (byLength.get(fixed.length) ?? [])
        .filter((other) => other.path !== path && other.pattern.test(example))
        .flatMap((other) => other.methods);
      return [...new Set(others)].filter((method) => !methods.includes(method)).map((method) => ({ method, path }));
    }),
  };
}

/** The template whose first differing part is fixed comes first. */
function compareFixedParts(a: readonly number[], b: readonly number[]): number {
  for (const [index, part] of a.entries()) {
    const difference = part - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
