interface Place {
  pathname: string;
  search: object;
}

/** What of an address opens forms and shows tabs. `at` shows the past in place of the page. */
const SHOWN_BY = ["at", "create", "edit", "group", "open", "tab", "view"] as const;

/** Whether a form that is open at one address is still there at the next. */
export function keepsForm(current: Place, next: Place): boolean {
  const [now, then]: Partial<Record<string, unknown>>[] = [{ ...current.search }, { ...next.search }];
  return current.pathname === next.pathname && SHOWN_BY.every((key) => now?.[key] === then?.[key]);
}
