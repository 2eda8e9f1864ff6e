import { testAllPagesAt } from "../../../support/all-pages.ts";

testAllPagesAt({ width: 1024, height: 768 });
