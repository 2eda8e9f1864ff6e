import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const PROGRAM = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))";

/** The documents of a YAML text, as Compose reads them: by Debian's parser for Python. */
export async function parseYaml(text: string): Promise<unknown[]> {
  const parsing = run("/usr/bin/python3", ["-c", PROGRAM]);
  parsing.child.stdin?.end(text);
  // The program prints a list.
  return JSON.parse((await parsing).stdout) as unknown[];
}
