import { z } from "zod";
import { agentId, pageEnd, pageOf, paging, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { certificate, certificateList } from "./answers.ts";
import { countsOf } from "./records.ts";
import type { CertificateService } from "./service.ts";

/** What an assistant can ask of certificates. */
export function certificateTools(service: Pick<CertificateService, "matching">): Tool[] {
  const short = certificate.pick({
    id: true,
    agent_id: true,
    domain: true,
    port: true,
    server_name: true,
    source: true,
    endpoint_id: true,
    container_id: true,
    status: true,
    status_since: true,
    message: true,
    alerting: true,
    days_until_expiry: true,
    expires_at: true,
    issuer_org: true,
    last_check_at: true,
    next_check_at: true,
    last_error: true,
  });

  return [
    tool({
      name: "list_certificates",
      title: "List certificates",
      description:
        "The TLS certificates that are watched: how many days each has left, and what is wrong with it (expired, expiring, an invalid chain, unreachable). Those that need somebody come first, then by the days that are left.",
      input: z.strictObject({
        status: certificate.shape.status.optional().describe("Only those with this status."),
        expires_within_days: z
          .number()
          .int()
          .min(0)
          .max(3650)
          .optional()
          .describe("Only those with at most so many days left, or expired."),
        endpoint_id: recordId.optional().describe("Only that of this endpoint, by its id from list_endpoints."),
        container_id: recordId
          .optional()
          .describe(
            "Only those that labels of this container name, by its id from list_containers; that of an endpoint is found by endpoint_id.",
          ),
        search: z.string().max(255).optional().describe("Only those with this in their domain, server name or issuer, in any case."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({
        certificates: z.array(short),
        counts: certificateList.shape.counts.describe("Of all that match, by status."),
        ...pageEnd,
      }),
      handle({ limit, cursor, expires_within_days: days = Infinity, ...query }) {
        const found = service.matching(query).filter((each) => days === Infinity || (each.days_until_expiry ?? Infinity) <= days);
        const { page, end } = pageOf(found, { limit, cursor });
        return { certificates: page.map((each) => short.parse(each)), counts: countsOf(found), ...end };
      },
    }),
  ];
}
