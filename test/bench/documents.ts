export const evaluate = /* GraphQL */ `
  mutation Evaluate($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      __typename
      ... on Evaluation {
        id
        verdict
        status
        decidedBy
        reason
        decidingPolicies
        data
      }
      ... on Error {
        message
      }
    }
  }
`;

export const resolve = /* GraphQL */ `
  mutation Resolve($input: ResolveElicitationInput!) {
    resolveElicitation(input: $input) {
      __typename
      ... on Elicitation {
        id
        status
      }
    }
  }
`;

export const watch = /* GraphQL */ `
  subscription Watch {
    elicitationRequested {
      id
      message
    }
  }
`;

export const createAgent = /* GraphQL */ `
  mutation CreateAgent($input: CreateAgentInput!) {
    createAgent(input: $input) {
      ... on Agent {
        id
      }
      ... on Error {
        message
      }
    }
  }
`;

export const createSession = /* GraphQL */ `
  mutation CreateSession($input: CreateSessionInput!) {
    createSession(input: $input) {
      ... on Session {
        id
      }
      ... on Error {
        message
      }
    }
  }
`;

export const createPolicy = /* GraphQL */ `
  mutation CreatePolicy($input: CreatePolicyInput!) {
    createPolicy(input: $input) {
      ... on Policy {
        id
      }
      ... on Error {
        message
      }
    }
  }
`;

export const createApiKey = /* GraphQL */ `
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      ... on CreatedApiKey {
        token
      }
      ... on Error {
        message
      }
    }
  }
`;
