import { route, type Route } from "../http/route.ts";
import { editionView, type EditionView } from "./api.ts";

export function editionRoutes(view: () => EditionView): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/edition",
      summary: "The edition in force, its licence, and what it grants",
      tag: "Meta",
      access: "admin",
      responses: { 200: editionView },
      handle: view,
    }),
  ];
}
