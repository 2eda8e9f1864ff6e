import { useEffect } from "react";

/** Names the page in the browser's tab and history: what it shows, and how many. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Binnacle`;
  }, [title]);
}
