import type { SourceFile } from "../imports/source-file.ts";
import { type Mutation, mutate } from "./mutation.ts";
import type { Tree } from "./tree.ts";

/** Runs the type check in a tree; answers the files with errors. */
export type CheckTypes = (root: string) => Promise<string[]>;

export interface Selection {
  tree: Tree;
  files: readonly SourceFile[];
  /** In the order in which they are wanted. */
  drawn: readonly Mutation[];
  count: number;
  checkTypes: CheckTypes;
}

/** More are tried at once than are wanted, since about every third does not pass. */
const SURPLUS = 1.8;

/**
 * The first drawn mutations that pass the type check. Many are checked at once, one a file: what stands in a file with errors is dropped, and
 * when only untouched files have errors, what those import.
 */
export async function selectWellTyped({ tree, files, drawn, count, checkTypes }: Selection): Promise<Mutation[]> {
  const passed = new Set<Mutation>();
  let waiting = [...drawn];
  while (passed.size < count && waiting.length > 0) {
    const batch = onePerFile(waiting, Math.ceil((count - passed.size) * SURPLUS));
    waiting = waiting.filter((mutation) => !batch.includes(mutation));
    for (const mutation of await passing(batch, tree, files, checkTypes)) passed.add(mutation);
  }
  return drawn.filter((mutation) => passed.has(mutation)).slice(0, count);
}

async function passing(batch: readonly Mutation[], tree: Tree, files: readonly SourceFile[], checkTypes: CheckTypes): Promise<Mutation[]> {
  let left = [...batch];
  for (;;) {
    const faulty = await withMutations(left, tree, () => checkTypes(tree.root));
    if (faulty.length === 0) return left;
    const guilty = left.filter(({ path }) => faulty.includes(path));
    const suspects = guilty.length > 0 ? guilty : importedBy(faulty, left, files);
    // Without a suspect the sources themselves do not pass.
    if (suspects.length === 0) throw new Error(`the type check fails without a mutation in ${faulty.join(", ")}`);
    left = left.filter((mutation) => !suspects.includes(mutation));
  }
}

/** Mutations in what files import, directly or, when there are none, indirectly. */
function importedBy(paths: readonly string[], mutations: readonly Mutation[], files: readonly SourceFile[]): Mutation[] {
  const seen = new Set(paths);
  for (let next = [...paths]; next.length > 0;) {
    next = files.filter(({ path }) => next.includes(path)).flatMap(({ imports }) => imports.flatMap(({ target }) => target ?? []));
    const found = mutations.filter(({ path }) => next.includes(path));
    if (found.length > 0) return found;
    next = next.filter((path) => !seen.has(path));
    for (const path of next) seen.add(path);
  }
  return [];
}

async function withMutations<Result>(mutations: readonly Mutation[], tree: Tree, run: () => Promise<Result>): Promise<Result> {
  const originals = mutations.map(({ path }) => ({ path, text: tree.read(path) }));
  for (const mutation of mutations) tree.write(mutation.path, mutate(tree.read(mutation.path), mutation));
  try {
    return await run();
  } finally {
    for (const { path, text } of originals) tree.write(path, text);
  }
}

function onePerFile(mutations: readonly Mutation[], limit: number): Mutation[] {
  const paths = new Set<string>();
  const batch: Mutation[] = [];
  for (const mutation of mutations) {
    if (batch.length >= limit) break;
    if (!paths.has(mutation.path)) batch.push(mutation);
    paths.add(mutation.path);
  }
  return batch;
}
