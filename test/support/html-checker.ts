import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onDemand } from "../../tools/on-demand.ts";
import { temporaryFolder } from "./program.ts";

interface Message {
  type: "error" | "info" | "non-document-error";
  subType?: "warning";
  url: string;
  lastLine?: number;
  message: string;
  extract?: string;
}

/** What the Nu HTML checker says of documents, by their names: errors and warnings. */
export function checkHtml(documents: ReadonlyMap<string, string>): string[] {
  const folder = temporaryFolder();
  const files = [...documents].map(([name, html], index) => ({ name, file: join(folder, `${index}.html`), html }));
  for (const { file, html } of files) writeFileSync(file, html);
  const jar = join(onDemand("vnu").commands, "../vnu-jar/build/dist/vnu.jar");
  const { stderr } = spawnSync("java", ["-jar", jar, "--format", "json", "--exit-zero-always", ...files.map(({ file }) => file)], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { messages } = JSON.parse(stderr) as { messages: Message[] };
  const faults = messages.filter(({ type, subType }) => type !== "info" || subType === "warning");
  return faults.map(({ url, lastLine = 0, message, extract = "" }) => {
    const name = files.find(({ file }) => url.endsWith(file))?.name ?? url;
    return `${name}:${lastLine}: ${message} ${extract.replaceAll(/\s+/g, " ").slice(0, 160)}`.trim();
  });
}
