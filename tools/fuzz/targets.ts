import type { Target } from "./target.ts";
import { CERTIFICATE_TARGETS } from "./targets/certificates.ts";
import { DOCUMENT_TARGETS } from "./targets/documents.ts";
import { MANAGER_TARGETS } from "./targets/managers.ts";
import { cron, protobuf } from "./targets/messages.ts";

/** All parsers that `npm run fuzz` knows, each with a folder of kept inputs in test/fixtures/fuzz. */
export const TARGETS: readonly Target[] = [protobuf, cron, ...CERTIFICATE_TARGETS, ...MANAGER_TARGETS, ...DOCUMENT_TARGETS];
