/** What agents, approvers and operators of the crash tests send. */
export const evaluatePolicy = /* GraphQL */ `
  mutation ($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      __typename
      ... on Evaluation { id verdict status decidedBy data }
      ... on Error { message }
    }
  }
`;

export const withdrawEvaluation = /* GraphQL */ `
  mutation ($input: WithdrawEvaluationInput!) {
    withdrawEvaluation(input: $input) {
      __typename
      ... on Evaluation { id verdict status decidedBy data }
      ... on Error { message }
    }
  }
`;

export const resolveElicitation = /* GraphQL */ `
  mutation ($input: ResolveElicitationInput!) {
    resolveElicitation(input: $input) {
      __typename
      ... on Elicitation { id status }
      ... on Error { message }
    }
  }
`;

export const resolveElicitations = /* GraphQL */ `
  mutation ($input: ResolveElicitationsInput!) {
    resolveElicitations(input: $input) {
      __typename
      ... on ResolvedElicitations { elicitations { id status } }
      ... on Error { message }
    }
  }
`;

export const elicitationRequested = /* GraphQL */ `
  subscription {
    elicitationRequested { id event }
  }
`;

export const sessionEvents = /* GraphQL */ `
  subscription ($sessionId: ID!, $after: String) {
    sessionEvents(sessionId: $sessionId, after: $after) { cursor type }
  }
`;

export const endSession = /* GraphQL */ `
  mutation ($input: EndSessionInput!) {
    endSession(input: $input) { __typename ... on Session { id } ... on Error { message } }
  }
`;

export const createAgent = /* GraphQL */ `
  mutation ($input: CreateAgentInput!) {
    createAgent(input: $input) { __typename ... on Agent { id } ... on Error { message } }
  }
`;

export const createSession = /* GraphQL */ `
  mutation ($input: CreateSessionInput!) {
    createSession(input: $input) { __typename ... on Session { id } ... on Error { message } }
  }
`;

export const createPolicy = /* GraphQL */ `
  mutation ($input: CreatePolicyInput!) {
    createPolicy(input: $input) { __typename ... on Policy { id } ... on Error { message } }
  }
`;
