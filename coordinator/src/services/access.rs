//! The service for operators: tokens of workers and clients.

use std::sync::Arc;
use std::time::Duration;

use hasami_proto::Role;
use hasami_proto::v1::access_service_server::{AccessService, AccessServiceServer};
use hasami_proto::v1::{
    AddTokenRequest, AddTokenResponse, ListTokensRequest, ListTokensResponse, RevokeTokenRequest,
    RevokeTokenResponse, RotateTokenRequest, RotateTokenResponse, TokenInfo, TokenRole,
};
use tonic::{Request, Response, Status};

use super::Shared;
use crate::core::WorkerId;
use crate::server::{self, Caller, Doorman, TokenError, Tokens};

/// Who ends its own token still gets the reply.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Serves operators.
#[derive(Clone)]
pub struct AccessCalls {
    shared: Arc<Shared>,
    tokens: Tokens,
    doorman: Arc<Doorman>,
}

impl AccessCalls {
    /// The service.
    #[must_use]
    pub fn service(
        shared: Arc<Shared>,
        tokens: Tokens,
        doorman: Arc<Doorman>,
    ) -> AccessServiceServer<Self> {
        AccessServiceServer::new(Self { shared, tokens, doorman })
    }

    /// Changes the tokens, which waits for the disk.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Tokens) -> Result<T, TokenError> + Send + 'static,
    ) -> Result<T, Status> {
        let tokens = self.tokens.clone();
        let done = tokio::task::spawn_blocking(move || change(&tokens)).await;
        let done = done.map_err(|error| Status::internal(error.to_string()))?;
        done.map_err(|error| status(&error))
    }

    /// Ends what a token that is gone has under way. Returns how many workers it had.
    async fn end(&self, caller: &Caller, name: &str, token: u64) -> Result<u32, Status> {
        let doorman = Arc::clone(&self.doorman);
        if *caller.name == *name {
            tokio::spawn(async move {
                tokio::time::sleep(LAST_WORDS).await;
                doorman.close_all_of(token);
            });
        } else {
            doorman.close_all_of(token);
        }
        let owner = name.to_string();
        let workers = self
            .shared
            .engine
            .call(move |state| {
                let of = state.core.workers().filter(|(_, worker)| worker.about.caller == owner);
                let of: Vec<WorkerId> = of.map(|(id, _)| id).collect();
                of.iter().for_each(|&worker| state.core.leave(worker));
                of
            })
            .await?;
        workers.iter().for_each(|&worker| self.shared.wakes.forget(worker));
        Ok(workers.len() as u32)
    }

    fn info(&self, token: server::TokenInfo) -> TokenInfo {
        TokenInfo {
            role: TokenRole::from(token.role).into(),
            connections: self.doorman.connections_of(token.id) as u32,
            name: token.name,
            created_ms: token.created_ms,
            used_ms: token.used_ms,
        }
    }
}

fn status(error: &TokenError) -> Status {
    let text = error.to_string();
    match error {
        TokenError::Name { .. } => Status::invalid_argument(text),
        TokenError::Exists(_) => Status::already_exists(text),
        TokenError::Missing(_) => Status::not_found(text),
        TokenError::LastOperator(_) | TokenError::Open => Status::failed_precondition(text),
        TokenError::Full => Status::resource_exhausted(text),
        TokenError::Io { .. } | TokenError::Malformed { .. } => Status::internal(text),
    }
}

#[tonic::async_trait]
impl AccessService for AccessCalls {
    async fn list_tokens(
        &self,
        _: Request<ListTokensRequest>,
    ) -> Result<Response<ListTokensResponse>, Status> {
        let tokens = self.tokens.list().into_iter().map(|token| self.info(token)).collect();
        Ok(Response::new(ListTokensResponse { tokens }))
    }

    async fn add_token(
        &self,
        request: Request<AddTokenRequest>,
    ) -> Result<Response<AddTokenResponse>, Status> {
        let by = Caller::of(&request).name;
        let AddTokenRequest { name, role } = request.into_inner();
        let role = TokenRole::try_from(role).unwrap_or_default();
        let role = Role::try_from(role).map_err(|e| Status::invalid_argument(e.to_string()))?;
        let (token, secret) = self.change(move |tokens| tokens.add(&name, role)).await?;
        tracing::info!(token = token.name, %role, by = &*by, "token added");
        Ok(Response::new(AddTokenResponse { token: Some(self.info(token)), secret }))
    }

    async fn revoke_token(
        &self,
        request: Request<RevokeTokenRequest>,
    ) -> Result<Response<RevokeTokenResponse>, Status> {
        let caller = Caller::of(&request);
        let name = request.into_inner().name;
        let gone = name.clone();
        let token = self.change(move |tokens| tokens.revoke(&gone)).await?;
        let workers = self.end(&caller, &name, token).await?;
        tracing::info!(token = name, workers, by = &*caller.name, "token revoked");
        Ok(Response::new(RevokeTokenResponse { workers }))
    }

    async fn rotate_token(
        &self,
        request: Request<RotateTokenRequest>,
    ) -> Result<Response<RotateTokenResponse>, Status> {
        let caller = Caller::of(&request);
        let name = request.into_inner().name;
        let (token, secret, old) = self.change(move |tokens| tokens.rotate(&name)).await?;
        let workers = self.end(&caller, &token.name, old).await?;
        tracing::info!(token = token.name, workers, by = &*caller.name, "token rotated");
        Ok(Response::new(RotateTokenResponse { token: Some(self.info(token)), secret }))
    }
}
