import type { z } from "zod";
import { bulkBody, callerKey } from "../../../http/bulk.ts";
import { certificateBody } from "../api.ts";

/** A certificate as one of many. */
const item = certificateBody.extend({ key: callerKey });
export type CertificateItem = z.infer<typeof item>;

const peer = {
  field: "domain",
  of({ domain, port, server_name: serverName = domain }: Readonly<Record<string, unknown>>) {
    return typeof domain === "string" && typeof port === "number" ? `${domain} ${port} ${String(serverName)}` : undefined;
  },
};

export const certificateBulkBody = bulkBody("certificates", item, [peer]);
