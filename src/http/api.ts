import { z } from "zod";
import { timestamp } from "./schemas.ts";

/** How the caller was authenticated. */
export const sessionView = z.object({
  kind: z.enum(["anyone", "admin_token", "session"]).meta({ description: "`anyone`: no admin token is set, so everybody is let in" }),
  ends_at: timestamp.nullable().meta({ description: "when a session ends unless it is used" }),
});
