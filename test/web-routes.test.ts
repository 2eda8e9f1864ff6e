import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { OPENED_BY } from "./support/opened-routes.ts";
import { routeAt, webRoutes } from "./support/web-routes.ts";

describe("the pages of the web app", () => {
  it("are each opened by a browser story", () => {
    assert.deepEqual(Object.values(OPENED_BY).flat().toSorted(), webRoutes(), "list new pages in test/support/opened-routes.ts");
  });

  it("are opened by stories that there are", () => {
    const gone = Object.keys(OPENED_BY).filter((story) => !existsSync(new URL(`stories/browser/${story}`, import.meta.url)));
    assert.deepEqual(gone, []);
  });

  it("are known by their paths", () => {
    const routes = ["/", "/alerts", "/alerts/$id", "/alerts/history"];
    const shown = ["/", "/alerts/", "/alerts/history", "/alerts/7", "/alerts/7/more"].map((path) => routeAt(path, routes));
    assert.deepEqual(shown, ["/", "/alerts", "/alerts/history", "/alerts/$id", undefined]);
  });
});
