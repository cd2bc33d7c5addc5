#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function when `expression`, an absl::Status, is an
// error.
#define SC_RETURN_IF_ERROR(expression)                            \
  do {                                                            \
    if (absl::Status sc_status = (expression); !sc_status.ok()) { \
      return sc_status;                                           \
    }                                                             \
  } while (false)

#define SC_CONCAT_INNER(a, b) a##b
#define SC_CONCAT(a, b) SC_CONCAT_INNER(a, b)

// Evaluates `expression`, an absl::StatusOr; assigns its value to `target`
// (which may declare a variable) or returns its error.
#define SC_ASSIGN_OR_RETURN(target, expression) \
  SC_ASSIGN_OR_RETURN_INNER(SC_CONCAT(sc_result_, __LINE__), target, expression)

#define SC_ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                                 \
  if (!result.ok()) return std::move(result).status();        \
  target = *std::move(result)
