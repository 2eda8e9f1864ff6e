import type { AuditedOperation } from "../http/audit.ts";
import { shortRecord } from "../http/audit-record.ts";
import type { ToolWrite } from "../mcp/server/index.ts";

/** What an assistant did, for the audit log: a tool names the record by an argument such as `alert_id`. */
export function auditedWrite({ tool, clientName, args, isRefused }: ToolWrite): AuditedOperation {
  const [name, id] = Object.entries(args ?? {}).find(([key]) => key.endsWith("_id")) ?? [];
  return {
    actor: { kind: "assistant", name: clientName },
    address: null,
    operation: tool,
    entity: name === undefined ? null : { type: name.replace(/_id$/, ""), id: String(id), name: null },
    outcome: isRefused ? "refused" : "done",
    error: isRefused ? "tool_failed" : null,
    before: null,
    after: args === null ? null : shortRecord(args),
  };
}
