import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor, type ESTree } from "rolldown/utils";

/** What the rules need to know of a file. Paths are from the root of the project. */
export interface SourceFile {
  path: string;
  lines: number;
  imports: Import[];
  /** Uses of globals: `setTimeout`, `process.env`, `new Date()`. */
  uses: { what: string; line: number }[];
  defaultExport: number | undefined;
  starExports: number[];
}

export interface Import {
  line: number;
  specifier: string;
  /** Of a file of the project; undefined for a package or a built-in module. */
  target: string | undefined;
  /** A relative import that leads to no file. */
  missing: boolean;
  typeOnly: boolean;
  /** By `import()`, when it is needed. */
  later?: true;
  /** Imported names; `*` for all of it under one name. */
  names: string[];
}

/** What leads from a file to others when it runs. */
export interface LinkedFile {
  path: string;
  imports: readonly Pick<Import, "target" | "typeOnly">[];
}

/** Reads of a file's imports only where they lead, without its syntax tree: that takes three times as long. Throws when it does not parse. */
export function readLinks(path: string, text: string): LinkedFile {
  const { module, errors } = parseSync(path, text, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "does not parse"}`);
  const imports = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      target: targetOf(path, moduleRequest.value),
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ start, entries }) =>
      entries
        .flatMap(({ moduleRequest }) => moduleRequest ?? [])
        // A module is loaded even when each of the names taken from it is a type.
        .map(({ value }) => ({ target: targetOf(path, value), typeOnly: /^export\s+type\b/.test(text.slice(start, start + 20)) })),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => {
      const [, specifier = ""] = /^["'](.*)["']$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
      return { target: targetOf(path, specifier), typeOnly: false };
    }),
  ];
  return { path, imports };
}

/** Reads a file's imports and uses from its syntax tree. Throws when it does not parse. */
export function readSourceFile(root: string, path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "does not parse"}`);

  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const file: SourceFile = { path, lines: text.split("\n").length - 1, imports: [], uses: [], defaultExport: undefined, starExports: [] };

  function lineOf({ start }: { start: number }): number {
    const next = lineStarts.findIndex((lineStart) => lineStart > start);
    return next < 0 ? lineStarts.length : next;
  }

  function addImport(node: { start: number }, specifier: string, how: "value" | "type" | "later", names: string[]): void {
    const target = targetOf(path, specifier);
    file.imports.push({
      line: lineOf(node),
      specifier,
      target,
      missing: target !== undefined && !existsSync(join(root, target)),
      typeOnly: how === "type",
      ...(how === "later" && { later: true }),
      names,
    });
  }

  function addUse(node: { start: number }, what: string): void {
    file.uses.push({ what, line: lineOf(node) });
  }

  /** A global handed on under another name is used as well. */
  function addValue(node: ESTree.Node): void {
    if (node.type === "Identifier" || node.type === "MemberExpression") {
      const name = plainName(node);
      if (name !== undefined) addUse(node, name);
    }
  }

  new Visitor({
    ImportDeclaration(node) {
      const typeOnly = node.importKind === "type" || (node.specifiers.length > 0 && node.specifiers.every(isTypeSpecifier));
      const names = node.specifiers.filter((each) => !isTypeSpecifier(each)).map(importedName);
      addImport(node, node.source.value, typeOnly ? "type" : "value", names);
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) addImport(node, node.source.value, node.exportKind === "type" ? "type" : "value", ["*"]);
      for (const each of node.specifiers) if (nameOf(each.exported) === "default") file.defaultExport = lineOf(node);
    },
    ExportAllDeclaration(node) {
      addImport(node, node.source.value, node.exportKind === "type" ? "type" : "value", ["*"]);
      file.starExports.push(lineOf(node));
    },
    ExportDefaultDeclaration(node) {
      file.defaultExport = lineOf(node);
    },
    ImportExpression(node) {
      if (node.source.type === "Literal" && typeof node.source.value === "string") addImport(node, node.source.value, "later", ["*"]);
    },
    TSImportType(node) {
      addImport(node, node.source.value, "type", []);
    },
    CallExpression(node) {
      const name = plainName(node.callee);
      if (name !== undefined) addUse(node, node.arguments.length === 0 && name === "Date" ? "Date()" : name);
      for (const argument of node.arguments) addValue(argument);
    },
    NewExpression(node) {
      const name = plainName(node.callee);
      if (name !== undefined) addUse(node, `new ${name}${name === "Date" && node.arguments.length === 0 ? "()" : ""}`);
    },
    MemberExpression(node) {
      const object = plainName(node.object);
      const property = memberName(node);
      if (object !== undefined && property !== undefined) addUse(node, `${object}.${property}`);
    },
    AssignmentPattern(node) {
      addValue(node.right);
    },
    ObjectExpression(node) {
      for (const each of node.properties) if (each.type === "Property") addValue(each.value);
    },
    VariableDeclarator(node) {
      if (node.init !== null) addValue(node.init);
      const object = node.init === null ? undefined : plainName(node.init);
      if (object === undefined || node.id.type !== "ObjectPattern") return;
      for (const each of node.id.properties) {
        if (each.type === "Property" && each.key.type === "Identifier") addUse(node, `${object}.${each.key.name}`);
      }
    },
  }).visit(program);
  return file;
}

/** Undefined for a package or a built-in module. */
function targetOf(path: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? normalize(join(dirname(path), specifier.replace(/\?.*$/, ""))) : undefined;
}

/** `name` and `globalThis.name` are the same thing. */
function plainName(node: ESTree.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return undefined;
  return node.object.name === "globalThis" || node.object.name === "global" ? memberName(node) : undefined;
}

function memberName(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === "Identifier" && !node.computed) return node.property.name;
  return node.property.type === "Literal" && typeof node.property.value === "string" ? node.property.value : undefined;
}

function isTypeSpecifier(specifier: ESTree.ImportDeclarationSpecifier): boolean {
  return specifier.type === "ImportSpecifier" && specifier.importKind === "type";
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  return specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}
