import { answersOf } from "../http/answers.ts";
import { route, type Route } from "../http/route.ts";
import type { EditionView } from "./answers.ts";

const answer = answersOf(() => import("./answers.ts"));

export function editionRoutes(view: () => EditionView): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/edition",
      summary: "The edition in force, its licence, and what it grants",
      tag: "Meta",
      access: "admin",
      responses: { 200: answer("editionView") },
      handle: view,
    }),
  ];
}
