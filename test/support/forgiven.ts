import { appendFileSync } from "node:fs";

/** Says that a wait needed more than it should; the runner counts these, and with CI=true none may be. */
export function forgave(what: string): void {
  const file = process.env["BINNACLE_TEST_FORGIVEN"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(what)}\n`);
}
