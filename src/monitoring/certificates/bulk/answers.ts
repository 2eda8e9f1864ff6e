import type { z } from "zod";
import { bulkAnswer } from "../../../http/bulk.ts";

export const certificateBulkAnswer = bulkAnswer("certificates", {});
export type CertificateBulkAnswer = z.infer<typeof certificateBulkAnswer>;
