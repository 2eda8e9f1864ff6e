import { isProgramPath } from "../contract/program-paths.ts";
import type { ErrorCode } from "../platform/errors.ts";
import { ERROR_TABLE, ServiceError } from "../platform/errors.ts";
import { pathOf } from "./admission.ts";
import type { Fallback } from "./fallback.ts";
import { renderNotice } from "./page.ts";
import { sendResult } from "./replies.ts";
import { Answer } from "./route.ts";

/** Answers everything with one refusal: browsers that navigate with a page, all others with the error. */
export function refuseAll(code: ErrorCode, notice: () => { title: string; sentence: string }): Fallback {
  return async ({ url, headers }, reply) => {
    const { title, sentence } = notice();
    const isNavigation = headers.accept?.includes("text/html") === true && !isProgramPath(pathOf({ url }));
    if (!isNavigation) throw new ServiceError(code, sentence);
    const answer = new Answer(ERROR_TABLE[code].http, renderNotice({ title, sentence }), {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      refresh: "5",
    });
    sendResult(reply, answer, "");
  };
}
