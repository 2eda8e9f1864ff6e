import { useNavigate, useSearch } from "@tanstack/react-router";
import type { FormSearch } from "../../entities/notifications/search.ts";

interface AddressForm<Row> {
  /** Undefined: a new one is made, or no form is open. */
  edited: Row | undefined;
  isOpen: boolean;
  create: () => void;
  edit: (row: Row) => void;
  close: () => void;
}

/** The form that the address of a list opens, of a new row or of one of these. */
export function useForm<Row extends { id: number }>(
  path: `/notifications/${"routing" | "escalation" | "webhooks"}`,
  rows: readonly Row[],
): AddressForm<Row> {
  const { create, edit } = useSearch({ from: path });
  const navigate = useNavigate();
  const edited = edit === undefined ? undefined : rows.find(({ id }) => String(id) === edit);

  function show(form: FormSearch | undefined): void {
    void navigate({
      to: path,
      search: (search) => ({ ...search, create: undefined, edit: undefined, ...form }),
      replace: form === undefined,
      resetScroll: false,
    });
  }

  return {
    edited,
    isOpen: create !== undefined || edited !== undefined,
    create: () => show({ create: "yes" }),
    edit: ({ id }) => show({ edit: String(id) }),
    close: () => show(undefined),
  };
}
