import { testAllPagesAt } from "../../../support/all-pages.ts";
import { DESKTOP } from "../../../support/browser.ts";

testAllPagesAt(DESKTOP);
