/** Whether a status is one of `200` or a class such as `2xx`. */
export function isExpected(status: number, expected: readonly string[]): boolean {
  return expected.some((pattern) => pattern === String(status) || pattern === `${Math.floor(status / 100)}xx`);
}
