/** What one look of the doctor found: `fail` keeps the program from its work, `warn` from part of it. */
export interface Finding {
  verdict: "ok" | "warn" | "fail";
  text: string;
}

/** What is looked at, and how. */
export type Look = [subject: string, look: () => Promise<Finding[]>];
