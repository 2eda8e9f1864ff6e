/** Addresses of the program itself, where a browser must not be given the app. */
const PROGRAM_PATHS = /^\/(api|assets|ping|status|mcp|oauth|metrics|login|logout|\.well-known)(\/|$)/;

export function isProgramPath(path: string): boolean {
  return PROGRAM_PATHS.test(path);
}
