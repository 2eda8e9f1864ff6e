import type { TestContext } from "node:test";

/** Until the end of a test the local time is that of this zone. */
export function inZone(t: TestContext, name: string): void {
  const zone = process.env["TZ"];
  process.env["TZ"] = name;
  t.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
}
