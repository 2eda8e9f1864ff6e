import type { SourceFile } from "./source-file.ts";

/** Import cycles, types included, each once, beginning with its first file in alphabetical order. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const next = adjacency(files);
  const cycles = new Map<string, string[]>();
  const finished = new Set<string>();

  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) {
      const cycle = rotated(trail.slice(at));
      cycles.set(cycle.join(), cycle);
      return;
    }
    if (finished.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  }

  for (const { path } of files) visit(path, []);
  return [...cycles.values()];
}

/** The shortest path by imports that exist when the program runs, from one file to the first that is wanted. */
export function findPath(files: readonly SourceFile[], from: string, wanted: (path: string) => boolean): string[] | undefined {
  const next = adjacency(files, { types: false });
  const seen = new Set([from]);
  const queue = [[from]];
  for (let trail = queue.shift(); trail !== undefined; trail = queue.shift()) {
    for (const target of next.get(trail.at(-1) ?? "") ?? []) {
      if (wanted(target)) return [...trail, target];
      if (!seen.has(target)) queue.push([...trail, target]);
      seen.add(target);
    }
  }
  return undefined;
}

function adjacency(files: readonly SourceFile[], { types = true } = {}): Map<string, string[]> {
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, typeOnly }) => (target === undefined || (typeOnly && !types) ? [] : [target])),
    ]),
  );
}

function rotated(cycle: readonly string[]): string[] {
  const first = cycle.indexOf([...cycle].sort()[0] ?? "");
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
