//! What everybody may ask: how it is; and with a token, what it can do.

use hasami_coordinator::server::Security;
use hasami_proto::{Who, connect};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::cluster::Cluster;

#[tokio::test]
async fn health_tells_of_recovery_without_a_token() {
    let cluster = Cluster::start(Security::TokensAndTls).await;
    let connection = connect(&cluster.access, Who::Client).unwrap();
    let mut client = HealthClient::new(connection.channel());
    let mut ask = async |service: &str| {
        let request = HealthCheckRequest { service: service.into() };
        client.check(request).await.map(|reply| reply.into_inner().status())
    };
    for service in
        ["", "hasami.v1.RunService", "hasami.v1.WorkService", "hasami.v1.PositionService"]
    {
        assert_eq!(ask(service).await.unwrap(), ServingStatus::NotServing, "{service:?}");
    }
    cluster.health.recovered().await;
    for service in
        ["", "hasami.v1.RunService", "hasami.v1.WorkService", "hasami.v1.PositionService"]
    {
        assert_eq!(ask(service).await.unwrap(), ServingStatus::Serving, "{service:?}");
    }
    assert_eq!(ask("hasami.v1.Other").await.unwrap_err().code(), Code::NotFound);
    cluster.stop().await;
}

#[tokio::test]
async fn reflection_lists_the_services_to_those_with_a_token() {
    let cluster = Cluster::start(Security::Tokens).await;
    let connection = connect(&cluster.access, Who::Client).unwrap();
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut stranger = ServerReflectionClient::new(connection.channel());
    let refused = stranger.server_reflection_info(tokio_stream::once(request.clone())).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
    let mut client = ServerReflectionClient::new(connection.authorized());
    let mut replies =
        client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let reply = replies.next().await.unwrap().unwrap().message_response.unwrap();
    let MessageResponse::ListServicesResponse(list) = reply else { panic!("{reply:?}") };
    let names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
    for expected in [
        "hasami.v1.RunService",
        "hasami.v1.WorkService",
        "hasami.v1.PositionService",
        "grpc.health.v1.Health",
    ] {
        assert!(names.iter().any(|name| name == expected), "{expected} is not in {names:?}");
    }
    cluster.stop().await;
}
