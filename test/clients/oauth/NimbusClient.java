import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import java.net.URI;

/** Prints what the Nimbus OAuth SDK says: `token`, or the code of the error that it read. */
public final class NimbusClient {
    public static void main(String[] arguments) throws Exception {
        var credentials = new ClientSecretBasic(
            new ClientID(System.getenv("CLIENT_ID")), new Secret(System.getenv("CLIENT_SECRET")));
        var request = new TokenRequest.Builder(
            URI.create(System.getenv("TOKEN_URL")), credentials, new ClientCredentialsGrant()).build();
        var response = TokenResponse.parse(request.toHTTPRequest().send());
        System.out.println(response.indicatesSuccess() ? "token" : response.toErrorResponse().getErrorObject().getCode());
    }
}
