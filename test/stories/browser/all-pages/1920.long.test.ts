import { testAllPagesAt } from "../../../support/all-pages.ts";

testAllPagesAt({ width: 1920, height: 1080 });
