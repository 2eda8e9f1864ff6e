import { useNavigate, useSearch } from "@tanstack/react-router";

/** The moment of the past that the whole app shows; undefined: the present. It stands in the address. */
export function useMoment(): string | undefined {
  return useSearch({ strict: false }).at;
}

/** Shows another moment on the same page; undefined: the present. */
export function useGoToMoment(): (at: string | undefined, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return (at, { replace = false } = {}) => void navigate({ to: ".", search: (search) => ({ ...search, at }), replace, resetScroll: false });
}
