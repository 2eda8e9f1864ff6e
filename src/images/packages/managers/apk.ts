import { sourceBeside, type SystemPackage, type SystemPackages } from "../distribution.ts";

/** What Linux takes for a path. A folder is repeated for each of its files, so a long one would cost its length each time. */
const LONGEST_FOLDER = 4096;

/**
 * Reads apk's database of what is installed: paragraphs of lines with a letter each, P for the name, V for the version, o for the origin,
 * F for a folder and R for a file in it. Source: Alpine's wiki, "Apk spec".
 */
export function readApkInstalled(text: string, isOfLanguage: (path: string) => boolean): SystemPackages {
  const packages: SystemPackage[] = [];
  const owned: string[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    let [name, version, origin, folder] = ["", "", "", ""];
    for (const line of paragraph.split("\n")) {
      const value = line.slice(2);
      if (line.startsWith("P:")) name = value;
      else if (line.startsWith("V:")) version = value;
      else if (line.startsWith("o:")) origin = value;
      else if (line.startsWith("F:")) folder = value.length > LONGEST_FOLDER ? "" : value;
      else if (line.startsWith("R:") && isOfLanguage(`${folder}/${value}`)) owned.push(`${folder}/${value}`);
    }
    if (name === "" || version === "") continue;
    packages.push({ name, version, source: sourceBeside(name, version, origin === "" ? null : { name: origin, version }) });
  }
  return { packages, owned };
}
