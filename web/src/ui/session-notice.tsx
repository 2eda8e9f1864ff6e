import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { loginUrl, sessionQuery } from "../api/session.ts";
import { buttonClass } from "./button.tsx";

/** Until somebody has logged in elsewhere. */
const ASK_AGAIN_MS = 15_000;

/** Stands where the login form would take away what is typed. It goes when the server answers again. */
export function SessionNotice() {
  useQuery({ ...sessionQuery, staleTime: 0, refetchInterval: ASK_AGAIN_MS, refetchOnWindowFocus: "always" });
  return (
    <div role="status" className="flex items-center gap-3 border-b border-line bg-degraded-soft px-4 py-2 sm:px-6">
      <KeyRound size={16} aria-hidden className="shrink-0 text-degraded" />
      <p className="flex-1">Your session has ended. Your input is kept. Log in in another tab, then continue here.</p>
      <a href={loginUrl()} target="_blank" className={buttonClass()}>
        Log in<span className="sr-only"> (opens a new tab)</span>
      </a>
    </div>
  );
}
