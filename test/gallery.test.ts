import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const WEB = join(import.meta.dirname, "../web");
const SHARED = ["src/ui/**/*.tsx", "src/charts/*.tsx", "src/lists/*.tsx"];
/** Parts of another component, by which they are shown. */
const WITHIN: Readonly<Record<string, string>> = {
  "src/ui/menu-popup.tsx": "src/ui/menu.tsx",
  "src/ui/dialog-window.tsx": "src/ui/dialog.tsx",
  "src/ui/discard-question.tsx": "src/ui/dialog.tsx",
  "src/ui/forms/unsaved-changes.tsx": "src/ui/dialog.tsx",
  "src/ui/session-notice.tsx": "src/ui/dialog.tsx",
  "src/charts/time-cursor.tsx": "src/charts/chart.tsx",
  "src/lists/saved-views-menu.tsx": "src/lists/saved-views-picker.tsx",
  "src/lists/saved-views-dialog.tsx": "src/lists/saved-views-picker.tsx",
  "src/lists/saved-view-row.tsx": "src/lists/saved-views-picker.tsx",
};

test("every shared component is on the page of components", () => {
  const shown = new Set(
    globSync("gallery/*.tsx", { cwd: WEB }).flatMap((path) =>
      [...readFileSync(join(WEB, path), "utf8").matchAll(/from "\.\.\/(src\/[^"]+\.tsx)"/g)].map(([, file = ""]) => file),
    ),
  );
  const missing = globSync(SHARED, { cwd: WEB }).filter((path) => !shown.has(WITHIN[path] ?? path));
  assert.deepEqual(missing, []);
});

test("the app has nothing of the page of components", () => {
  const importing = globSync("src/**/*.{ts,tsx,css}", { cwd: WEB }).filter((path) =>
    /(?:from|import\(?) ?["'][^"']*gallery\//.test(readFileSync(join(WEB, path), "utf8")),
  );
  assert.deepEqual(importing, []);
});
