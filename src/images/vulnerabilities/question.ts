import { cleanName } from "../../platform/text.ts";
import type { Package } from "../image.ts";
import type { Subject } from "./affected.ts";
import { namesSources, packageKey } from "./ecosystem.ts";

/** What is asked of a database, and of which packages of the image. */
export interface Question extends Subject {
  packages: readonly Package[];
}

/** Packages that are asked about, of one image. */
const MOST_QUESTIONS = 20_000;
const NAMES_SHOWN = 3;

/** One question for all packages that come of one source; `left` are those too many to ask. */
export function questionsOf(packages: readonly Package[]): { questions: Question[]; left: number } {
  const questions = new Map<string, Question & { packages: Package[] }>();
  let left = 0;
  for (const item of packages) {
    const { name, version } = (namesSources(item.ecosystem) ? item.source : null) ?? item;
    const key = `${packageKey(item.ecosystem, name)}\n${version}`;
    const known = questions.get(key);
    if (known !== undefined) known.packages.push(item);
    else if (questions.size < MOST_QUESTIONS) questions.set(key, { ecosystem: item.ecosystem, name, version, packages: [item] });
    else left += 1;
  }
  return { questions: [...questions.values()], left };
}

/** How the packages of a question are named and which version is said of them: the installed one where that is one. */
export function namedPackages({ packages, version }: Question): { package: string; version: string } {
  const names = [...new Set(packages.map(({ name }) => cleanName(name)))].sort();
  const versions = new Set(packages.map((item) => item.version));
  const shown = names.length <= NAMES_SHOWN ? names : [...names.slice(0, NAMES_SHOWN), `${names.length - NAMES_SHOWN} more`];
  const [only = version] = versions;
  return { package: shown.join(", "), version: cleanName(versions.size === 1 ? only : version) };
}
