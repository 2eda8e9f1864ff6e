import { execFileSync } from "node:child_process";

const ZIP =
  "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED); z.writestr(sys.argv[2], sys.stdin.read()); z.close()";

/** Writes a zip file with one entry by Python's own library. */
export function zipByPython(path: string, entry: string, content: string): void {
  execFileSync("python3", ["-c", ZIP, path, entry], { input: content });
}
