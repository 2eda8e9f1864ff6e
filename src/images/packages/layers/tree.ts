/** Files by their paths, as an image's layers leave them. Only files that matter are in it. */
export interface Tree<File> {
  put(path: readonly string[], file: File): void;
  get(path: readonly string[]): File | undefined;
  /** Takes away what is at a path and all below it. */
  remove(path: readonly string[]): void;
  /** Takes away what is below a path. */
  empty(path: readonly string[]): void;
  /** Takes away a file at a path, whose place a folder takes. */
  removeFile(path: readonly string[]): void;
  /** Whether anything is below a path. */
  has(path: readonly string[]): boolean;
  /** Lays another tree over this one. */
  overlay(upper: Tree<File>): void;
  files(): Generator<[path: string, file: File]>;
  readonly size: number;
}

interface Node<File> {
  children: Map<string, Node<File>>;
  file: File | undefined;
}

export function createTree<File>(): Tree<File> {
  const root: Node<File> = { children: new Map(), file: undefined };
  let size = 0;

  function find(path: readonly string[]): Node<File> | undefined {
    let node: Node<File> | undefined = root;
    for (const part of path) {
      node = node.children.get(part);
      if (node === undefined) return undefined;
    }
    return node;
  }

  function forget(node: Node<File>): void {
    for (const [, below] of walk(node, "")) if (below.file !== undefined) size -= 1;
  }

  const tree: Tree<File> = {
    put(path, file) {
      let node = root;
      for (const part of path) {
        // What was a file is a folder now.
        if (node.file !== undefined) size -= 1;
        node.file = undefined;
        let child = node.children.get(part);
        if (child === undefined) {
          child = { children: new Map(), file: undefined };
          node.children.set(part, child);
        }
        node = child;
      }
      forget(node);
      node.children.clear();
      node.file = file;
      size += 1;
    },
    get: (path) => find(path)?.file,
    remove(path) {
      const name = path.at(-1);
      if (name === undefined) return;
      const folder = find(path.slice(0, -1));
      const node = folder?.children.get(name);
      if (node === undefined) return;
      forget(node);
      folder?.children.delete(name);
    },
    empty(path) {
      const node = find(path);
      for (const child of node?.children.values() ?? []) forget(child);
      node?.children.clear();
    },
    removeFile(path) {
      const node = find(path);
      if (node?.file === undefined) return;
      node.file = undefined;
      size -= 1;
    },
    has: (path) => (find(path)?.children.size ?? 0) > 0,
    overlay(upper) {
      for (const [path, file] of upper.files()) tree.put(path.split("/"), file);
    },
    *files() {
      for (const [path, { file }] of walk(root, "")) if (file !== undefined) yield [path, file];
    },
    get size() {
      return size;
    },
  };
  return tree;
}

/** A node and all below it, depth first; the depth of paths is bounded where they are read. */
function* walk<File>(node: Node<File>, path: string): Generator<[string, Node<File>]> {
  yield [path, node];
  for (const [name, child] of node.children) yield* walk(child, path === "" ? name : `${path}/${name}`);
}
