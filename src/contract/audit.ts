/** Who can have done what the audit log has, as its menu lists them. */
export const ACTOR_KINDS = ["session", "admin_token", "assistant", "anyone", "system"] as const;

/** How it ended. */
export const AUDIT_OUTCOMES = ["done", "refused"] as const;

/** What the log can be exported as. */
export const AUDIT_FORMATS = ["csv", "jsonl"] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];
