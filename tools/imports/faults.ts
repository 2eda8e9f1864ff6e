import { basename, dirname } from "node:path";
import {
  CONFINED,
  CONFINED_MODULES,
  FEATURE_DOORS,
  IMPURE,
  LONGEST_FILE_LINES,
  MAY_BE_LONGER,
  MAY_EXPORT_DEFAULT,
  PLAIN_FILES,
  PURE_FILES,
  PURE_MODULES,
  RESERVED,
  UNREACHABLE,
  WEB_MAY_IMPORT,
  WEB_MAY_IMPORT_TYPES,
  WEB_PAGES,
  ZONES,
  type Zone,
} from "../import-rules.ts";
import { findCycles, findPath } from "./graph.ts";
import { matches } from "./match.ts";
import type { Import, SourceFile } from "./source-file.ts";

/** One place that breaks a rule. */
export interface Fault {
  path: string;
  line: number;
  /** What is wrong, and why it matters. */
  message: string;
  /** The constant of tools/import-rules.ts that says so. */
  rule: string;
}

/** Everything in the files that breaks a rule. */
export function findFaults(files: readonly SourceFile[]): Fault[] {
  return [...files.flatMap(faultsOf), ...doorFaults(files), ...cycleFaults(files), ...reachFaults(files)];
}

function faultsOf(file: SourceFile): Fault[] {
  const faults: Fault[] = [];
  function fault(line: number, rule: string, message: string): void {
    faults.push({ path: file.path, line, rule, message });
  }

  if (file.lines > LONGEST_FILE_LINES && !matches(file.path, MAY_BE_LONGER)) {
    fault(
      LONGEST_FILE_LINES + 1,
      "LONGEST_FILE_LINES",
      `${file.lines} lines; a file has at most ${LONGEST_FILE_LINES}, so this one asks to be two`,
    );
  }
  if (file.defaultExport !== undefined && !matches(file.path, MAY_EXPORT_DEFAULT)) {
    fault(file.defaultExport, "MAY_EXPORT_DEFAULT", "default export; name it, so that it is called the same everywhere");
  }
  for (const line of file.starExports) fault(line, "no export *", "export *; name what leaves the file");
  for (const each of file.imports) {
    if (each.missing) fault(each.line, "imports resolve", `${each.specifier} leads to no file; imports end in .ts or .tsx`);
  }
  if (isProgram(file.path)) programFaults(file, fault);
  if (file.path.startsWith("web/")) webFaults(file, fault);
  return faults;
}

type Report = (line: number, rule: string, message: string) => void;

function programFaults(file: SourceFile, fault: Report): void {
  const zone = zoneOf(file.path);
  if (zone === undefined) fault(1, "ZONES", "belongs to no part of the program; give its folder a row");
  for (const each of file.imports) {
    if (each.target !== undefined) {
      if (zone !== undefined) zoneFault(each, each.target, zone, fault);
      reservationFault(file.path, each, each.target, fault);
    }
    plainnessFault(file.path, each, fault);
    purityFault(file.path, each, fault);
    moduleFault(file.path, each, fault);
  }
  for (const { what, line } of file.uses) {
    const rule = CONFINED.find(({ uses, only }) => uses.includes(what) && !matches(file.path, only));
    if (rule !== undefined) fault(line, "CONFINED", `${what}; ${rule.why}`);
  }
}

function zoneFault(each: Import, target: string, zone: Zone, fault: Report): void {
  if (!target.startsWith("src/")) return;
  const targetZone = zoneOf(target);
  const allowed =
    zone.mayImport === "all of src" ||
    targetZone === undefined ||
    targetZone === zone ||
    targetZone.forAll === true ||
    zone.mayImport.includes(targetZone.name);
  if (!allowed) fault(each.line, "ZONES", `${zone.name} imports ${targetZone.name} (${target}); it may import ${listOf(zone.mayImport)}`);
}

function reservationFault(path: string, each: Import, target: string, fault: Report): void {
  for (const { files, only, asTypes = [], later = [], why } of RESERVED) {
    const allowed = matches(path, only) || (each.typeOnly && matches(path, asTypes)) || (each.later === true && matches(path, later));
    if (matches(target, [files]) && !allowed) fault(each.line, "RESERVED", `imports ${target}; ${why}`);
  }
}

function plainnessFault(path: string, each: Import, fault: Report): void {
  if (each.typeOnly || each.target !== undefined || !matches(path, PLAIN_FILES)) return;
  fault(each.line, "PLAIN_FILES", `imports ${each.specifier}; what the web app loads at once imports no package`);
}

function purityFault(path: string, each: Import, fault: Report): void {
  if (each.typeOnly || !matches(path, PURE_FILES)) return;
  const isImpure =
    each.target === undefined ? each.specifier.startsWith("node:") && !PURE_MODULES.includes(each.specifier) : matches(each.target, IMPURE);
  if (isImpure)
    fault(each.line, "PURE_FILES", `a file of rules imports ${each.target ?? each.specifier}; rules decide from their arguments alone`);
}

function moduleFault(path: string, each: Import, fault: Report): void {
  if (each.typeOnly) return;
  for (const { modules, names, only, why } of CONFINED_MODULES) {
    const name = each.names.find((imported) => names.includes(imported));
    if (modules.includes(withNodePrefix(each.specifier)) && name !== undefined && !matches(path, only)) {
      fault(each.line, "CONFINED_MODULES", `imports ${name} from ${each.specifier}; ${why}`);
    }
  }
}

function withNodePrefix(specifier: string): string {
  return /^(https?|http2|net|tls|dgram|timers|timers\/promises|process)$/.test(specifier) ? `node:${specifier}` : specifier;
}

function webFaults(file: SourceFile, fault: Report): void {
  for (const { target, typeOnly, line } of file.imports) {
    const [page] = WEB_PAGES.folders.exec(target ?? "") ?? [];
    if (page !== undefined && !file.path.startsWith(page) && file.path !== WEB_PAGES.router)
      fault(line, "WEB_PAGES", `imports ${target}; a page is imported by its own folder and ${WEB_PAGES.router} alone`);
    if (target === undefined || target.startsWith("web/") || (isTest(file.path) && target.startsWith("test/"))) continue;
    if (matches(target, WEB_MAY_IMPORT)) continue;
    if (!matches(target, WEB_MAY_IMPORT_TYPES)) {
      const allowed = `${listOf(WEB_MAY_IMPORT)}, and as types ${listOf(WEB_MAY_IMPORT_TYPES)}`;
      fault(line, "WEB_MAY_IMPORT_TYPES", `the web app imports ${target}; it may import ${allowed}`);
    } else if (!typeOnly)
      fault(line, "WEB_MAY_IMPORT_TYPES", `the web app imports ${target} not only as types, so server code would reach the browser`);
  }
}

/** Imports from outside a feature of a file that is not one of its doors. */
function doorFaults(files: readonly SourceFile[]): Fault[] {
  const features = files.filter((file) => /^src\/.*\/index\.ts$/.test(file.path)).map((file) => `${dirname(file.path)}/`);
  return files
    .filter(({ path }) => isProgram(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target = "", line }) => {
        const feature = features.find((folder) => target.startsWith(folder) && !path.startsWith(folder));
        if (feature === undefined || FEATURE_DOORS.includes(basename(target))) return [];
        const message = `${target} is inside the feature ${feature}; from outside only its ${FEATURE_DOORS.join(" and ")} are imported`;
        return [{ path, line, rule: "FEATURE_DOORS", message }];
      }),
    );
}

function cycleFaults(files: readonly SourceFile[]): Fault[] {
  return findCycles(files).map((cycle) => {
    const [path = "", next] = cycle;
    const line = files.find((file) => file.path === path)?.imports.find(({ target }) => target === next)?.line ?? 1;
    return { path, line, rule: "no import cycle", message: `import cycle: ${[...cycle, path].join(" -> ")}` };
  });
}

function reachFaults(files: readonly SourceFile[]): Fault[] {
  return UNREACHABLE.flatMap(({ from, files: forbidden }) => {
    const path = findPath(files, from, (target) => matches(target, forbidden));
    return path === undefined
      ? []
      : [{ path: from, line: 1, rule: "UNREACHABLE", message: `reaches ${path.at(-1) ?? ""}: ${path.join(" -> ")}` }];
  });
}

function zoneOf(path: string): Zone | undefined {
  return ZONES.find((zone) => matches(path, zone.files));
}

/** The rules about parts hold for the program; its tests may look inside. */
function isProgram(path: string): boolean {
  return path.startsWith("src/") && !isTest(path);
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

function listOf(names: readonly string[] | string): string {
  return typeof names === "string" ? names : names.length === 0 ? "nothing of ours" : names.join(", ");
}
